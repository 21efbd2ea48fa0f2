/** The errors of a call that names an app, an action or a flow that does not exist. */
import { type AppError, notFound } from './error.ts'

export const appNotFound = (app: string): AppError =>
  notFound(`App "${app}"`, { code: 'app_not_found' })

export const actionNotFound = ({
  app,
  action,
}: Readonly<{ app: string; action: string }>): AppError =>
  notFound(`Action "${action}" of app "${app}"`, { code: 'action_not_found' })

export const flowNotFound = ({ app, flow }: Readonly<{ app: string; flow: string }>): AppError =>
  notFound(`Flow "${flow}" of app "${app}"`, { code: 'flow_not_found' })
