import { resolve } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { readOptions } from './read-options.js'
import { fail } from './run.js'
import { choosePictures } from './screenshot/choose-pictures.js'
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
      text: 'light, dark and forced (colors of the system, only at the width 1440), with --all',
    },
  },
})

for (const [name, value] of Object.entries({ only, widths, themes })) {
  if (all === undefined && value !== undefined) fail(`--${name} needs --all <folder>.`)
}
if (all === '') fail('--all needs a folder.')
const choice = choosePictures({ only, widths, themes })

setUp()
buildIfStale()
if (all === undefined) await import('./screenshot/readme-pictures.js')
else {
  const { takeAll } = await import('./screenshot/take-all.js')
  await takeAll(resolve(all), choice)
}
