import { TextFilter, type TextFilterProps } from '../ui/table/filters.tsx'
import { useAppNames } from './target-names.ts'

/** A filter by app that offers the apps of the workspace. */
export const AppFilter = (props: Omit<TextFilterProps, 'offered'>) => (
  <TextFilter {...props} offered={useAppNames()} />
)
