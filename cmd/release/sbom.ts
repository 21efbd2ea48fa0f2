/** Makes the list of npm packages in a release (CycloneDX 1.5) from the lock file with npm. */
import { execFileSync } from 'node:child_process'
import { v5 as uuidV5 } from 'uuid'
import { z } from 'zod'

const documentShape = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({
    timestamp: z.string(),
    component: z.looseObject({ name: z.string(), type: z.string() }),
  }),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
})

/** The namespace of URLs (RFC 9562, 6.6). */
const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8'

/**
 * Replaces the random serial number, the time and the folder's name that npm writes with values derived from the
 * release, so that a commit always gives the same document.
 * @param commitTime of the release, in ISO 8601
 */
export const normalizeSbom = (json: string, version: string, commitTime: string): string => {
  const document = documentShape.parse(JSON.parse(json))
  const component = { ...document.metadata.component, name: 'svc', type: 'application' }
  return `${JSON.stringify(
    {
      ...document,
      serialNumber: `urn:uuid:${uuidV5(`svc-${version}-${commitTime}`, URL_NAMESPACE)}`,
      metadata: { ...document.metadata, timestamp: commitTime, component },
    },
    null,
    2,
  )}\n`
}

/** @param root folder of the lock file */
export const makeSbom = (root: string, version: string, commitTime: string): string =>
  normalizeSbom(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    version,
    commitTime,
  )
