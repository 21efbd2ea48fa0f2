import { expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const warningsOf = (fields: string): readonly string[] => {
  const read = parseManifest(
    `key: m\nactions: [{ key: a, entrypoint: a.ts, ${fields} }]`,
    'app.yaml',
  )
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return (read.warnings ?? []).map(({ path, message }) => `${path}: ${message}`)
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
it.each([
  'rate: { limit: 5, perS: 1 }, fairKey: "${input.tenant}"',
  'rate: { limit: 5, perS: 1, key: "${input.region}" }, fairKey: "${input.region}-${input.tenant}"',
])('warns of turns under a rate that the keys share: %s', (fields) => {
  expect(warningsOf(fields)).toEqual([
    expect.stringContaining(
      'actions[0].fairKey: jobs that wait for the `rate` take no turns: they start in the order in which they were queued. Put the reference into `rate.key` too, or limit the action by `concurrency`.',
    ),
  ])
})

it.each([
  'rate: { limit: 5, perS: 1, key: "${input.tenant}" }, fairKey: "${input.tenant}"',
  'concurrency: { limit: 5 }, fairKey: "${input.tenant}"',
  'rate: { limit: 5, perS: 1 }',
])('does not warn of %s', (fields) => expect(warningsOf(fields)).toEqual([]))
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
