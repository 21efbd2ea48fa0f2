/** Reads server-sent events (text/event-stream) whose data is JSON. */
import type { Json } from './mod.ts'

export type ServerEvent = Readonly<{
  event: string
  data: Json
}>

const parseEvent = (block: string): ServerEvent | null => {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    // with the flag `s` a value may contain U+2028, which JSON does not escape
    const [, name, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
  // a block without data is a comment, which keeps the connection open
  return data.length === 0 ? null : { event, data: JSON.parse(data.join('\n')) }
}

/** Yields events until the stream ends. A consumer that stops early closes the connection. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== null) yield event
      }
    }
  } finally {
    await reader.cancel()
  }
}
