/** Replaces a reader of PDFs: it answers each file with its process id and the number of files it has got. */
import process from 'node:process'
import { createByteReader, toFrame } from '#pdf/byte-reader.ts'
import { requestSchema } from '#pdf/protocol.ts'

const reader = createByteReader(process.stdin)
for (let count = 1; ; count += 1) {
  const text = await reader.readText(16_384)
  if (text === null) break
  await reader.read(requestSchema.parse(JSON.parse(text)).byteCount)
  const source = { pages: [], picture: `${process.pid} ${count}`, isTextBased: true }
  process.stdout.write(toFrame(JSON.stringify({ kind: 'content', source })))
}
