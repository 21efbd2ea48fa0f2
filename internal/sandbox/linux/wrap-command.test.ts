import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { wrapCommand } from './wrap-command.ts'

const SCORE = '/proc/self/oom_score_adj'

test.runIf(process.platform === 'linux')(
  'the kernel ends a guest before its node, also where the value of the node is high',
  () => {
    const { command, args } = wrapCommand({ command: '/bin/cat', args: [SCORE], identity: null })
    const scoreAfter = (before: string): number => {
      const words = ['-c', `${before}; exec "$@"`, 'sh', command, ...args]
      return Number(execFileSync('/bin/sh', words, { encoding: 'utf8' }))
    }
    const own = Number(readFileSync(SCORE, 'utf8'))
    expect(scoreAfter(':')).toBe(Math.min(own + 500, 1_000))
    expect(scoreAfter(`echo 700 >${SCORE}`)).toBe(1_000)
  },
)
