/** An error in a response, such as `TypeError`, and the first line of the app's code in its stack trace. */
interface CodePlace {
  readonly error: string | undefined
  /** A path and a line: `/app/webhook.js:12`, possibly with a column. Java gives only the file: `Webhook.java:12`. */
  readonly place: string | undefined
}

const PATH = String.raw`(?<![\w:/\\.-])(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^\s"'<>()*?|:]*\.[A-Za-z]{1,5})`

/** Matches the place of a line in stack traces of Node.js, PHP, Ruby and Go, of Python, of PHP, and of .NET. */
const PLACE = new RegExp(
  String.raw`${PATH}(?::|", line | on line |:line )(\d{1,7})(?::(\d{1,5}))?(?!\d)`,
  'g',
)

/** Matches a line in a stack trace of Java or Kotlin. Leaves out the frames of the platform and of common frameworks. */
const JAVA_PLACE =
  /^\s*at (?!(?:java|javax|jakarta|jdk|sun|kotlin|org\.(?:springframework|apache|eclipse)|io\.netty)\.)[\w.$/<>]+\(([\w$]+\.(?:java|kt|scala):\d{1,7})\)/m

/** Matches code of libraries and of the language itself. */
const NOT_OF_THE_APP =
  /[\\/](node_modules|site-packages|dist-packages|vendor|gems|\.rbenv|lib[\\/]python[\d.]*)[\\/]/

/** Finds an error and its place in a stack trace. The markup of an HTML page must be removed first. */
export function findCodePlace(text: string): CodePlace {
  const places = [...text.matchAll(PLACE)].map(([, path = '', line = '', column]) => ({
    path,
    place: [path, line, ...(column === undefined ? [] : [column])].join(':'),
  }))
  // In Python, the innermost call comes last; in all other languages, first.
  const ofApp = places.filter(({ path }) => !NOT_OF_THE_APP.test(path))
  const isPython = /Traceback \(most recent call last\)/.test(text)
  return {
    error: /\b(?:[A-Z]\w{0,40}(?:Error|Exception)\b|Error(?=:))/.exec(text)?.[0],
    place: (isPython ? ofApp.at(-1) : ofApp[0])?.place ?? JAVA_PLACE.exec(text)?.[1],
  }
}
