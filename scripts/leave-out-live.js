import { readFileSync } from 'node:fs'

const EXPORT = /^export (?:async )?(?:function|const|class) (\w+)/gm

/**
 * Leaves the files `….live.tsx` out of the report. They have the components that need a live sandbox, such as buttons that act on it.
 * In the report, each of these components renders nothing, so the components around them need no condition.
 *
 * @returns {import('vite').Plugin}
 */
export function leaveOutLive() {
  return {
    name: 'leave-out-live',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'report',
    load(id) {
      if (!id.endsWith('.live.tsx')) return null
      const names = [...readFileSync(id, 'utf8').matchAll(EXPORT)].map(([, name = '']) => name)
      const other = names.find((name) => !/^[A-Z]/.test(name))
      if (other !== undefined)
        this.error(`${id} exports ${other}. A file *.live.tsx exports only components.`)
      return names.map((name) => `export const ${name} = () => null\n`).join('')
    },
  }
}
