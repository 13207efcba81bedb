import type { ParsedStatements } from './parsed-statements.ts'
import type { SqlCommand } from './sql-command.ts'

const INITIAL_BYTES = 16_384
/** UTF-8 has at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/** Writes messages of PostgreSQL's protocol one after another into one buffer, which is sent with one system call. */
class MessageWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES)
  #end = 0
  #lengthAt = 0

  /** Begins a message. Its length is written by `endMessage`. */
  beginMessage(type: string): void {
    this.#reserve(5)
    this.#end = this.#bytes.writeUInt8(type.charCodeAt(0), this.#end)
    this.#lengthAt = this.#end
    this.#end += 4
  }

  endMessage(): void {
    this.#bytes.writeInt32BE(this.#end - this.#lengthAt, this.#lengthAt)
  }

  addInt16(value: number): void {
    this.#reserve(2)
    this.#end = this.#bytes.writeUInt16BE(value, this.#end)
  }

  addInt32(value: number): void {
    this.#reserve(4)
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
  }

  /** A text that ends with a NUL. */
  addName(text: string): void {
    this.#reserve(text.length * MAX_BYTES_PER_UNIT + 1)
    this.#end += this.#bytes.write(text, this.#end)
    this.#end = this.#bytes.writeUInt8(0, this.#end)
  }

  /** A text with its length before it. */
  addValue(text: string): void {
    this.#reserve(4 + text.length * MAX_BYTES_PER_UNIT)
    const length = this.#bytes.write(text, this.#end + 4)
    this.addInt32(length)
    this.#end += length
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#end)
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + count))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

/**
 * The messages that run statements, in one buffer. `pg` would write a buffer for each statement and step, and sending many
 * buffers takes longer than sending one. The server responds after the message with `isLast`.
 */
export function encodeCommands(
  commands: readonly SqlCommand[],
  parsed: ParsedStatements,
  isLast: boolean,
): Buffer {
  const writer = new MessageWriter()
  for (const { text, values, hasRows } of commands) {
    let statement = parsed.find(text)
    if (statement === undefined) {
      statement = parsed.add(text)
      writer.beginMessage('P')
      writer.addName(statement)
      writer.addName(text)
      // No parameter types, so the server infers them.
      writer.addInt16(0)
      writer.endMessage()
    }
    writer.beginMessage('B')
    writer.addName('')
    writer.addName(statement)
    // No parameter formats, so all parameters are text.
    writer.addInt16(0)
    writer.addInt16(values.length)
    for (const value of values) {
      if (value === null) writer.addInt32(-1)
      else writer.addValue(value)
    }
    // No result formats, so all results are text.
    writer.addInt16(0)
    writer.endMessage()
    if (hasRows) {
      writer.beginMessage('D')
      writer.addName('P')
      writer.endMessage()
    }
    writer.beginMessage('E')
    writer.addName('')
    // The maximum number of rows: no limit.
    writer.addInt32(0)
    writer.endMessage()
  }
  if (isLast) {
    writer.beginMessage('S')
    writer.endMessage()
  }
  return writer.finish()
}
