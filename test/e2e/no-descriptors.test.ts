/** A node that is out of file descriptors refuses what needs a process, and goes on. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, '..', 'support', 'without-descriptors.ts')

test('git, readers of PDFs and guests that cannot start do not end the process', async () => {
  const words = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, SCRIPT]
  const { stdout } = await promisify(execFile)('/bin/sh', words)
  expect(JSON.parse(stdout)).toEqual(['AppError', 'AppError', 'ended 1', 'TypeError', 'Error'])
})
