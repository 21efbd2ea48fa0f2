/** Reads files of the console and of the guides, and the licence notices, from the binary. */
import { readPacked } from './packed-files.binary.ts'

const readFrom = (folder: 'web' | 'docs') => (name: string) => readPacked(`${folder}/${name}`)

export const readConsoleFile = readFrom('web')
export const readGuideFile = readFrom('docs')
export const readLicenses = () => readPacked('licenses.json.br')
