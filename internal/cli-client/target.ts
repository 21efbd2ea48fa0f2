/** Parses `<app>/<action>` or `<app>/<flow>`, as people type it. */
import { z } from 'zod'

const TARGET = /^([a-z0-9][a-z0-9_-]{0,62})\/([a-z0-9][a-z0-9_-]{0,62})$/i

/** @param name of the positional argument */
export const targetArgument = <Name extends string>(name: Name) =>
  z.looseObject({}).transform((flags, context) => {
    const [, app, key] = TARGET.exec(String(flags[name])) ?? []
    if (app !== undefined && key !== undefined) return { app, key }
    context.addIssue(
      `"${String(flags[name])}" must have the form <app>/<${name}>, for example hello/report.`,
    )
    return z.NEVER
  })
