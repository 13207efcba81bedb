/** Extracts what each option does from a text such as `send: the webhook is sent. skip: nothing is sent.` */
export function parseOptionMeanings(
  assumption: string,
  options: readonly string[],
): ReadonlyMap<string, string> {
  const text = `. ${assumption}`
  const marks = options
    .map((option) => ({ option, start: text.indexOf(`. ${option}: `) }))
    .filter(({ start }) => start >= 0)
    .toSorted((one, other) => one.start - other.start)
  return new Map(
    marks.map(({ option, start }, index) => {
      const end = marks[index + 1]?.start ?? text.length
      return [option, text.slice(start + option.length + 4, end).replace(/\.$/, '')]
    }),
  )
}
