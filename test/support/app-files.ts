/** The files of small apps. */
import type { AppFiles } from '#bundle/app-files.ts'

export type AppTexts = Readonly<Record<string, string>>

/** An app with one action `run`, which returns `answer`. */
export const oneActionApp = (key: string, answer = 'ok'): AppTexts => ({
  'app.yaml': `key: ${key}\nactions:\n  - key: run\n    entrypoint: run.ts\n`,
  'run.ts': `export const main = (): string => ${JSON.stringify(answer)}\n`,
})

export const toAppFiles = (texts: AppTexts): AppFiles =>
  new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]))

/** The same files inside a folder. */
export const inFolder = (folder: string, files: AppTexts): AppTexts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
