/** The file of the program that jobs run in, as the providers of these tests write it. */
import { DENO_GUEST_SOURCE } from '#sandbox/guest/compiled.gen.ts'
import { writeGuest } from '#sandbox/linux/runtime-file.ts'
import { runtimeFolder } from '../sandbox/job.ts'

export const guestProgram = (): string => writeGuest(runtimeFolder(), DENO_GUEST_SOURCE)
