/** The environment variables that git gets: where programs are, and how to reach the network. All others are withheld. */
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

/** Returns those variables that are set and not empty. */
export const gitEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = process.env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
