/** Draws docs/images/trace.svg: the spans of one flow run, as a collector received them from a server and a worker. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Span, startSpanCollector } from '../support/span-collector.ts'
import { LONG_LEASE, makeTemplate, untilAllEnded, withCopyOf } from './durable-node.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const OTHER = '00-11111111111111111111111111111111-2222222222222222-01'
const FILE = join(import.meta.dirname, '../../docs/images/trace.svg')

const startFlow = async (url: string, token: string, traceparent: string): Promise<void> => {
  const answer = await fetch(`${url}/api/w/default/flows/run/crash/short`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent,
    },
    body: '{"id":1}',
  })
  if (answer.status !== 201) throw new Error(`The run was refused: ${answer.status}`)
}

const receiveSpans = async (): Promise<readonly Span[]> => {
  const collector = await startSpanCollector()
  const template = await makeTemplate()
  try {
    await withCopyOf(template, async (folder) => {
      const env = { ...LONG_LEASE, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
      const server = await folder.start({ args: ['server'], env })
      const worker = await folder.start({ args: ['worker'], env })
      // the first run starts processes, so the picture shows a later one
      for (const parent of [OTHER, `00-${TRACE}-${CALLER}-01`]) {
        await startFlow(server.url, folder.token, parent)
        await untilAllEnded(folder)
      }
      // a node that stops sends its remaining spans
      for (const node of [worker, server]) await node.process.stop()
    })
  } finally {
    template.remove()
    collector.close()
  }
  return collector.spans.filter(({ traceId }) => traceId === TRACE)
}

const WIDTH = 900
const LABELS = 330
const ROW = 26
const COLOURS = ['#0b4f9e', '#1a7f37', '#9a6700', '#8250df']
const NS_PER_MS = 1_000_000

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

type Placed = Readonly<{ span: Span; depth: number; start: number; end: number }>

/** Places spans below their parents, in the order of their starts. Times are milliseconds after the first. */
const place = (spans: readonly Span[]): readonly Placed[] => {
  const first = spans.reduce(
    (least, { startTimeUnixNano: at }) => {
      const start = BigInt(at)
      return start < least ? start : least
    },
    BigInt(spans[0]?.startTimeUnixNano ?? 0),
  )
  const msOf = (nanos: string): number => Number(BigInt(nanos) - first) / NS_PER_MS
  const sorted = spans.toSorted((a, b) => msOf(a.startTimeUnixNano) - msOf(b.startTimeUnixNano))
  const below = (parent: string, depth: number): readonly Placed[] =>
    sorted
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .flatMap((span) => [
        {
          span,
          depth,
          start: msOf(span.startTimeUnixNano),
          end: msOf(span.endTimeUnixNano),
        },
        ...below(span.spanId, depth + 1),
      ])
  return below(CALLER, 0)
}

const draw = (rows: readonly Placed[]): string => {
  const total = Math.max(...rows.map(({ end }) => end))
  const x = (ms: number): number => LABELS + (ms / total) * (WIDTH - LABELS - 90)
  const bars = rows.map(({ span: { name }, depth, start, end }, at) => {
    const y = 34 + at * ROW
    const kind = ['request', 'flow', 'step', 'attempt'].findIndex((each) => name.startsWith(each))
    const colour = COLOURS[kind] ?? '#57606a'
    const width = Math.max(x(end) - x(start), 2)
    return `<text x="${10 + depth * 18}" y="${y + 13}">${escapeText(name)}</text>
<rect x="${x(start).toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="15" rx="2" fill="${colour}"/>
<text class="ms" x="${(x(start) + width + 6).toFixed(1)}" y="${y + 13}">${(end - start).toFixed(1)} ms</text>`
  })
  const height = 34 + rows.length * ROW + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Trace of a flow run">
<style>text{font:13px system-ui,sans-serif;fill:#1b1f24}.ms{fill:#57606a;font-size:12px}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text class="ms" x="${LABELS}" y="20">0</text><text class="ms" x="${x(total).toFixed(1)}" y="20">${total.toFixed(0)} ms</text>
<line x1="${LABELS}" x2="${x(total).toFixed(1)}" y1="26" y2="26" stroke="#d8dee4"/>
${bars.join('\n')}
</svg>
`
}

const rows = place(await receiveSpans())
const names = rows.map(({ span }) => span.name)
for (const wanted of ['request ', 'flow ', 'step one', 'step two', 'attempt ', 'queue ']) {
  if (!names.some((name) => name.startsWith(wanted))) throw new Error(`No span ${wanted}.`)
}
writeFileSync(FILE, draw(rows))
process.stdout.write(`${FILE}: ${rows.length} spans\n`)
