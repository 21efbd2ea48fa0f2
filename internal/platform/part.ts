/** Runs one of the programs of part-name.ts in this process. The binary takes part.binary.ts in this file's place. */
import { PART_SOURCES, type PartName } from './part-name.ts'

export const runPart = async (name: PartName): Promise<void> => {
  await import(new URL(`../${PART_SOURCES[name]}`, import.meta.url).href)
}
