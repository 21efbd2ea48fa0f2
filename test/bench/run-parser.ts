/** S13: certificates of ten pages through POST /document-parser/registry, one after the other, each charged. */
import process from 'node:process'
import { z } from 'zod'
import {
  type Certificate,
  generateCertificate,
} from '../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../registry/fixtures/certificate/write-pdf.ts'
import { usageOf } from './process-usage.ts'
import { printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'
import { type SvcNode, startSvcNode } from './svc-node.ts'

const PAGES = 10
const WARMING = 10
/** With the warm-up calls, these stay within the initial credit of a new node. */
const CALLS = 80
const DIFFERENT = 8

const keyShape = z.object({ key: z.string() })
const answerShape = z.object({
  data: z.object({ unique_number: z.string(), source: z.object({ page_count: z.number() }) }),
})

const tenPages = (): readonly Certificate[] => {
  const found: Certificate[] = []
  for (let seed = 1; found.length < DIFFERENT; seed += 1) {
    const made = generateCertificate(seed, { pages: PAGES - 1 })
    if (made.pages.pages.length === PAGES) found.push(made)
  }
  return found
}

const makeKey = async ({ url, token }: SvcNode): Promise<string> => {
  const answer = await fetch(`${url}/api/w/default/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"bench"}',
  })
  return keyShape.parse(await answer.json()).key
}

const parse = async (): Promise<Sample> => {
  const certificates = tenPages()
  const files = await Promise.all(
    certificates.map(async (made) => new Blob([new Uint8Array(await certificatePdf(made))])),
  )
  const node = await startSvcNode()
  const headers = { authorization: `Bearer ${await makeKey(node)}` }
  const call = async (at: number): Promise<number> => {
    const file = files[at % DIFFERENT]
    if (file === undefined) throw new Error('There is no certificate.')
    const form = new FormData()
    form.set('file', file, 'certificate.pdf')
    const before = performance.now()
    const answer = await fetch(`${node.url}/document-parser/registry`, {
      method: 'POST',
      headers,
      body: form,
    })
    const body = await answer.text()
    const ms = performance.now() - before
    if (answer.status !== 200) throw new Error(`${answer.status} ${body}`)
    const { data } = answerShape.parse(JSON.parse(body))
    const wanted = certificates[at % DIFFERENT]?.truth.unique_number
    if (data.unique_number !== wanted || data.source.page_count !== PAGES) {
      throw new Error(`Read ${data.unique_number} instead of ${wanted}.`)
    }
    return ms
  }
  // the first call starts the reader's process
  const first = await call(0)
  for (let at = 1; at < WARMING; at += 1) await call(at)
  const before = usageOf(node.pid)
  const times: number[] = []
  for (let at = 0; at < CALLS; at += 1) times.push(await call(at))
  const after = usageOf(node.pid)
  await node.stop()
  node.remove()
  return {
    value: median(times),
    cpuS: after.cpuS - before.cpuS,
    rssMb: after.peakMb,
    check: `${CALLS} certificates of ${PAGES} pages, each read as its own and charged`,
    more: { p99: quantile(times, 0.99), first },
  }
}

printSample(await parse())
process.exit(0)
