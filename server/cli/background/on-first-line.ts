import type { Socket } from 'node:net'

const MAX_LENGTH = 200

/** Calls a function with the first line that arrives. Closes the connection if that line is too long to be valid. */
export function onFirstLine(socket: Socket, handle: (line: string) => void): void {
  let text: string | undefined = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    // Later data is read and ignored, because Node must read to notice the end of a connection.
    if (text === undefined) return
    text += chunk
    const end = text.indexOf('\n')
    if (end === -1 && text.length <= MAX_LENGTH) return
    const line = text.slice(0, end)
    text = undefined
    if (end === -1) socket.destroy()
    else handle(line)
  })
}
