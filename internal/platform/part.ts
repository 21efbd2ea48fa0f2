/** Runs a program of part-name.ts in this process. The binary uses part.binary.ts instead. */
import { PART_SOURCES, type PartName } from './part-name.ts'

export const runPart = async (name: PartName): Promise<void> => {
  await import(new URL(`../${PART_SOURCES[name]}`, import.meta.url).href)
}
