/** Starts the slowest files first, so that the workers end at about the same time. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { z } from 'zod'
import { ROOT } from '../support/repository.ts'

/** Path and seconds, recorded by `node test/durations/main.ts --record`; files below two seconds are left out. */
export const SLOW_FILES = join(ROOT, 'test/durations/slow-files.json')

const recorded = z.record(z.string(), z.number())

export const readSlowFiles = (): Readonly<Record<string, number>> =>
  recorded.parse(JSON.parse(readFileSync(SLOW_FILES, 'utf8')))

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSlowFiles()
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      seconds[relative(ROOT, moduleId)] ?? 0
    // files of one project stay together, because a worker is reused within a project only
    return [...files].sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || secondsOf(b) - secondsOf(a),
    )
  }
}
