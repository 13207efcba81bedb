// The service has a separate key for each environment, but no call tells which environment a key is for. So names decide.

/** Whether a key looks like a production key. The sandbox's own production keys begin with `prod`. */
export const looksLikeProductionKey = (key: string): boolean => /^(prod|live)/i.test(key)

/** Whether the name of a host or an environment variable suggests production. */
export const namesProduction = (name: string): boolean =>
  /(^|[^a-z])(prod|production|live)([^a-z]|$)/i.test(name)
