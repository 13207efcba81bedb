import { resolve } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { readOptions } from './read-options.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const { all, only, widths, themes } = readOptions({
  command: 'npm run screenshot --',
  text: 'Takes the pictures of the README. Each run shows the same events: the clock is frozen, and the free ports are replaced in the page. Only durations differ.',
  flags: {
    all: {
      type: 'string',
      value: 'folder',
      text: 'takes pictures of all screens, dialogs and states, and stores them in a folder',
    },
    only: {
      type: 'string',
      value: 'texts',
      text: 'only states with one of these texts in their name, such as event,compare, with --all',
    },
    widths: { type: 'string', value: 'list', text: 'widths such as 390,1440, with --all' },
    themes: {
      type: 'string',
      value: 'list',
      text: 'light, dark and forced (colours of the system), with --all',
    },
  },
})

await setUp()
buildIfStale()
if (all === undefined) await import('./screenshot/readme-pictures.js')
else {
  const { allThemes, allWidths, takeAll } = await import('./screenshot/take-all.js')
  const chosenWidths = widths?.split(',').map(Number) ?? allWidths
  const chosenThemes = themes?.split(',') ?? allThemes
  if (!chosenWidths.every((width) => width > 0))
    fail(`--widths must be numbers like 390,1440, not ${widths}.`)
  if (!chosenThemes.every((theme) => allThemes.includes(theme)))
    fail(`--themes must be some of ${allThemes.join(',')}, not ${themes}.`)
  await takeAll({
    folder: resolve(all),
    only: only?.split(',') ?? [''],
    widths: chosenWidths,
    themes: chosenThemes,
  })
}
