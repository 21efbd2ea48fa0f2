/** `make pictures`: copies the screenshots that the documents show from dist/screenshots to docs/images. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../support/repository.ts'
import { pressPicture } from './press-picture.ts'

const FROM = join(ROOT, 'dist', 'screenshots')
const TO = join(ROOT, 'docs', 'images')

/** Name and look of the screenshot, by its name in the documents. */
const CHOSEN = {
  'console-jobs': 'walk-jobs-light',
  'console-job': 'walk-job-dark',
  'console-flow-run': 'walk-flow-run-light',
  'console-approval': 'walk-approval-phone',
  'console-schedule': 'walk-schedule-light',
  'console-certificate': 'walk-certificate-light',
} as const

const MOST_BYTES = 150_000

mkdirSync(TO, { recursive: true })
for (const [name, source] of Object.entries(CHOSEN)) {
  const pressed = pressPicture(readFileSync(join(FROM, `${source}.png`)))
  if (pressed.length > MOST_BYTES) {
    throw new Error(`${source}.png has ${pressed.length} bytes; ${MOST_BYTES} are the most.`)
  }
  writeFileSync(join(TO, `${name}.png`), pressed)
  process.stdout.write(`docs/images/${name}.png: ${Math.round(pressed.length / 1_000)} kB\n`)
}
