import { execFileSync } from 'node:child_process'
import { broken, type CheckResult, fine } from './check.ts'

/** Older versions have no option that refuses all protocols except the allowed ones. */
const OLDEST = { major: 2, minor: 30 } as const
const REMEDY = 'Install git 2.30 or newer, for example with: apt-get install git'

/** Checks that git is installed and new enough to restrict its protocols. */
export const checkGit = (): CheckResult => {
  let answer: string
  try {
    answer = execFileSync('git', ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return broken('git is not installed; apps cannot be deployed from git sources', REMEDY)
  }
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(answer) ?? []).map(Number)
  const isOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)
  return isOld ? broken(`${answer.trim()} is too old`, REMEDY) : fine(answer.trim())
}
