interface Props {
  readonly count: number
  readonly about: string
  /** Whether the number is neutral, and not a warning. */
  readonly isQuiet?: boolean | undefined
}

/** A number beside the name of a screen or a tab. Renders nothing for 0. */
export const Badge = ({ count, about, isQuiet }: Props) =>
  count > 0 && (
    <span class={isQuiet ? 'badge quiet' : 'badge'} title={about}>
      {' '}
      {count}
    </span>
  )
