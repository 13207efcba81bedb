import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

/**
 * Words that had to be read twice, each with what to say instead. `npm run lint` finds them in code, tests, documents and screens.
 *
 * @type {readonly (readonly [words: RegExp, instead: string])[]}
 */
const retired = [
  [/\bbelongs? into\b/i, '"belongs in"'],
  [/\bin place of\b/i, '"instead of"'],
  [/\bbesides\b/i, '"in addition to", "apart from" or "also"'],
  [/, too\b(?! \w)|(?<!key )\btoo[.;)]/i, '"also" before the verb'],
  [/\b(?:that|which) (?:is|are) no (?!longer|more|such)/i, '"is not a"'],
  [/, also (?:if|when|while|after|without|where)\b/i, '"even"'],
  [/\bin the order (?:of|in which)\b/i, '"sequence": an order is what a customer buys'],
  [/\balso those\b/i, '"including those"'],
  [/(?<!\b(?:so|enough) )\bthat one\b(?! \w+ \w+s\b)/i, 'the noun again'],
  [/\bthe one (?:that|which|of)\b/i, 'the noun again'],
  [/\bWithout that,/, 'the condition: "If the lock is lost, …"'],
  [/\b(?:with|under|after|because of) which\b/i, '"that … with": the flag that it was started with'],
  [/\banother \w+ than\b/i, '"other than", or "a different …"'],
  [/\bexcludes? each other\b/i, '"cannot be combined"'],
  [/\bin vain\b/i, '"without success"'],
  [/\b(?:is|are) told of\b/i, '"learns of"'],
  [/\basked for wrongly\b/i, 'what is wrong with the request'],
  [/\bgo(?:es|ing)? on (?:with|after|in|for)\b|\bgoes on\b/i, '"continues"'],
  [/\bany more\b(?! \w+s\b)/i, '"no longer"'],
  [/\bwhat became of\b/i, '"what happened to"'],
  [/\bin spite of\b/i, '"despite"'],
  [
    /\bin (?:every|any|either|another|which|their|its) order\b/i,
    '"sequence": an order is what a customer buys',
  ],
  [
    /\borders? of (?:the )?(?:events|webhooks|notifications)\b/i,
    '"sequence": an order is what a customer buys',
  ],
  [/\buncounts?\b/i, '"gives back"'],
  [
    /\breleas(?:e[ds]?|ing) (?:it|them|a|all|the) (?:held )?(?:webhooks?|deliver(?:y|ies))\b|delivery\.released\b/i,
    '"allow" for a held webhook, "start" for one that waited',
  ],
  // The table of terms in CONTRIBUTING.md contains it in italics.
  [/(?<!\*)judg(?:e|ing|ment)/i, '"check", "compare" or "decide"'],
  // Case ids, the value of `checked` and code have this spelling.
  [/(?<!-)\bfulfil(?:s|ments?)?\b(?![-(.:'])/i, '"fulfill"'],
  [/\bunder way\b/i, '"underway"'],
  // Names: the letters of a new word are upper case.
  [/\btake Class\b|\bclose Later\b/, 'a verb that says what happens'],
]

/** A space in a pattern also matches a line break, with the beginning of the next line of a comment. */
const SPACE = String.raw`(?: |\s*\n[ \t]*(?:\*|//|#|-- )?[ \t]*)`

const patterns = retired.map(([words, instead]) => ({
  pattern: new RegExp(words.source.replaceAll(' ', SPACE), `g${words.flags}`),
  instead,
}))

/**
 * Where a text has retired words. A name such as `isUnderWay` counts as the words "is Under Way".
 *
 * @param {string} text
 */
export function findRetiredWords(text) {
  const split = text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return patterns.flatMap(({ pattern, instead }) =>
    [...split.matchAll(pattern)].map(({ 0: words, index }) => ({
      line: split.slice(0, index).split('\n').length,
      words: words.replaceAll(new RegExp(SPACE, 'g'), ' '),
      instead,
    })),
  )
}

const FOLDERS = ['.github', 'fixtures', 'github-action', 'scripts', 'server', 'skills', 'test', 'ui']

const TEXT = /\.(?:css|html|js|json|jsx|md|mjs|php|py|sh|ts|tsx|yml|yaml)$/

/** These files contain the words on purpose. */
const EXCEPTIONS = ['scripts/retired-words.js', 'test/scripts/retired-words.test.ts']

/** The files of the project that contain text. */
const textFiles = () =>
  [
    ...readdirSync(root),
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        `${folder}/${path}`.replaceAll('\\', '/'),
      ),
    ),
  ].filter((path) => TEXT.test(path) && !path.includes('node_modules') && !EXCEPTIONS.includes(path))

if (process.argv[1] === import.meta.filename) {
  for (const file of textFiles()) {
    for (const { line, words, instead } of findRetiredWords(readFileSync(join(root, file), 'utf8'))) {
      process.stderr.write(`${file}:${line}: "${words}" is hard to read. Write ${instead}.\n`)
      process.exitCode = 1
    }
  }
}
