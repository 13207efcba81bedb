/** An error in an answer, such as `TypeError`, and the first line of the app's code in its stack trace. */
interface CodePlace {
  readonly error: string | undefined
  /** A path and a line: `/app/webhook.js:12`, possibly with a column. Java names only the file: `Webhook.java:12`. */
  readonly place: string | undefined
}

const PATH = String.raw`(?<![\w:/\\.-])(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^\s"'<>()*?|:]*\.[A-Za-z]{1,5})`

/** How stack traces of Node.js, PHP, Ruby and Go, of Python, of PHP, and of .NET name a line. */
const PLACE = new RegExp(
  String.raw`${PATH}(?::|", line | on line |:line )(\d{1,7})(?::(\d{1,5}))?(?!\d)`,
  'g',
)

/** A line of a stack trace of Java or Kotlin. Leaves out the frames of the platform and of common frameworks. */
const JAVA_PLACE =
  /^\s*at (?!(?:java|javax|jakarta|jdk|sun|kotlin|org\.(?:springframework|apache|eclipse)|io\.netty)\.)[\w.$/<>]+\(([\w$]+\.(?:java|kt|scala):\d{1,7})\)/m

/** Code of libraries and of the language itself. */
const NOT_OF_THE_APP =
  /[\\/](node_modules|site-packages|dist-packages|vendor|gems|\.rbenv|lib[\\/]python[\d.]*)[\\/]/

/** Finds an error and its place in a stack trace. Remove the markup of an HTML page first. */
export function findCodePlace(text: string): CodePlace {
  const places = [...text.matchAll(PLACE)].map(([, path = '', line = '', column]) => ({
    path,
    place: [path, line, ...(column === undefined ? [] : [column])].join(':'),
  }))
  // Python names the innermost call last, all other languages first.
  const ofApp = places.filter(({ path }) => !NOT_OF_THE_APP.test(path))
  const isPython = /Traceback \(most recent call last\)/.test(text)
  return {
    error: /\b(?:[A-Z]\w{0,40}(?:Error|Exception)\b|Error(?=:))/.exec(text)?.[0],
    place: (isPython ? ofApp.at(-1) : ofApp[0])?.place ?? JAVA_PLACE.exec(text)?.[1],
  }
}
