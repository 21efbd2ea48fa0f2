/** `svc __self-test`: the build starts this to prove that the binary contains all its parts. */
import { testParts } from '#node/doctor/self-test.ts'
import type { Command } from '../command.ts'
import { printJson } from '../print.ts'

export const command: Command = {
  handler: async () => printJson(await testParts()),
}
