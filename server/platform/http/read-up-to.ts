/** The part of a body that was read. */
export interface ReadBody {
  /** At most as many bytes as the limit. */
  readonly bytes: Uint8Array
  /** Whether the body is longer. */
  readonly tooLarge: boolean
}

/** Reads a body up to a limit in bytes, because the sender may send any amount. */
export async function readUpTo(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<ReadBody> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return { bytes: Buffer.concat(read).subarray(0, limit), tooLarge: size > limit }
}
