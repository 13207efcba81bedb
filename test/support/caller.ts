interface StartedCaller {
  readonly url: string
  close(): Promise<void>
}

/** Starts an example app of `fixtures/callers/`: the correct one, `caller`, or one with a mistake. */
export async function startCaller(name: string, service: { readonly url: string; readonly apiKey: string }) {
  const module = new URL(`../../fixtures/callers/${name}.js`, import.meta.url)
  const { startCaller: start } = (await import(module.href)) as {
    startCaller(env: NodeJS.ProcessEnv): Promise<StartedCaller>
  }
  const { url, close } = await start({
    PAYLINK_URL: service.url,
    PAYLINK_API_KEY: service.apiKey,
    PORT: '0',
    SERVICE_TIMEOUT_MS: '5000',
  })
  return {
    orderUrl: `${url}/orders`,
    stateUrl: `${url}/orders/{order}/state`,
    [Symbol.asyncDispose]: close,
  }
}
