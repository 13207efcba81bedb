// The service has a key for each environment, and no call tells which environment a key belongs to. So names decide.

/** Whether a key looks like a production key. The sandbox's own production keys begin with `prod`. */
export const looksLikeProductionKey = (key: string): boolean => /^(prod|live)/i.test(key)

/** Whether the name of a host or of an environment variable says that it belongs to production. */
export const namesProduction = (name: string): boolean =>
  /(^|[^a-z])(prod|production|live)([^a-z]|$)/i.test(name)
