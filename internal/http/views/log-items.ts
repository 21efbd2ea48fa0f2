import type { LogItem } from '#service/read-log.ts'

/** A piece of a log as it is on the wire. */
export const toLogItem = ({ at, stream, text }: LogItem) => ({
  at: new Date(at).toISOString(),
  stream,
  text,
})

/** Writes the answer with all pieces. Those of one turn are written together, because there may be 600,000 of them. */
export const writeLogItems = async (turns: AsyncIterable<readonly LogItem[]>): Promise<string> => {
  const written: string[] = []
  for await (const items of turns) {
    if (items.length > 0) written.push(JSON.stringify(items.map(toLogItem)).slice(1, -1))
  }
  return `{"items":[${written.join()}]}`
}
