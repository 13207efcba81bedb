/** Whether a target is on the machine that posts to it, whatever it listens on. */
export function isLoopback(target: string): boolean {
  if (!URL.canParse(target)) return false
  const { hostname } = new URL(target)
  return /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/.test(hostname)
}
