/** What git gets of the environment: where programs lie, and how this site reaches the outside. Nothing else. */
import process from 'node:process'

const PASSED = [
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'TMPDIR',
] as const

export const gitEnvironment = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
