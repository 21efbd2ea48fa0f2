/** The files of small apps. */

export type AppTexts = Readonly<Record<string, string>>

/** An app with one action `run`, which returns `answer`. */
export const oneActionApp = (key: string, answer = 'ok'): AppTexts => ({
  'app.yaml': `key: ${key}\nactions:\n  - key: run\n    entrypoint: run.ts\n`,
  'run.ts': `export const main = (): string => ${JSON.stringify(answer)}\n`,
})

/** The same files inside a folder. */
export const inFolder = (folder: string, files: AppTexts): AppTexts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
