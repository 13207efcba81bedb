const TYPING_MS = 250

/** Asks once the typing rests. What was typed on meanwhile asks for itself. */
export async function whenTypingRests<Answer>(
  overtaken: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  await new Promise<void>((rest) => setTimeout(rest, TYPING_MS))
  overtaken.throwIfAborted()
  return ask()
}
