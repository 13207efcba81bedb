/** Gives a command's answer: one JSON value for machines, text for people. */
export function print(isJson: boolean, value: unknown, text: () => string): void {
  process.stdout.write(`${isJson ? JSON.stringify(value) : text()}\n`)
}

/** Tells people something that is not the answer. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`)
