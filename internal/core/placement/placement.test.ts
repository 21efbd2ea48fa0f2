import { describe, expect, it } from 'vitest'
import { findUnserved, type WorkerReach } from './placement.ts'

const worker = (part: Partial<WorkerReach> = {}): WorkerReach => ({
  tags: ['default'],
  level: 'runtime',
  workspaces: [],
  ...part,
})
const job = { ws: 'shop', tag: 'default', minLevel: 'runtime' } as const

describe('a queued job', () => {
  it('is served by a worker with its tag, of its workspace and level', () => {
    expect(findUnserved(job, [worker()], null)).toBeNull()
    expect(findUnserved(job, [worker({ workspaces: ['shop'], level: 'vm' })], null)).toBeNull()
  })

  it.each([
    ['a worker of its tag', [worker({ tags: ['gpu'] })], 'tag'],
    ['any worker at all', [], 'tag'],
    ['a worker of its workspace', [worker({ workspaces: ['bank'] })], 'workspace'],
    ['a worker of its level', [worker({ level: 'none' })], 'level'],
    [
      'one worker that meets all of it',
      [worker({ level: 'none' }), worker({ workspaces: ['bank'], level: 'os' })],
      'level',
    ],
  ] as const)('is unserved without %s', (_, workers, cause) => {
    expect(findUnserved(job, workers, null)).toMatchObject({ cause })
  })

  it('is unserved when its tag is no longer allowed in its workspace', () => {
    expect(findUnserved(job, [worker()], ['big'])).toMatchObject({ cause: 'tag_not_allowed' })
  })
})
