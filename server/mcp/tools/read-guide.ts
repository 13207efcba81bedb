import { z } from 'zod'
import { guides } from '../../docs/guides/guides.ts'
import { guidePath } from '../resources.ts'
import { createTool } from '../tool.ts'

export const readGuideTool = createTool({
  name: 'read_guide',
  title: 'Read a guide',
  description:
    'Reads a guide about the sandbox or the payment API: webhooks, faults, tests, CI. Without a name, it lists the guides.',
  input: z.strictObject({ guide: z.enum(guides.map(({ name }) => name)).optional() }),
  isReadOnly: true,
  async run({ guide }, { readText }) {
    if (guide === undefined) return { lines: guides.map(({ name, summary }) => `${name}: ${summary}`) }
    return { lines: [await readText(guidePath(guide))] }
  },
})
