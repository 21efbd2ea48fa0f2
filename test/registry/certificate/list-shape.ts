export type TradeListRow = {
  readonly serial: string
  readonly property: string
  readonly rank: string
  /** Lines of the cell. */
  readonly cause: readonly string[]
}
export type CollateralRow = {
  readonly serial: string
  readonly propertyType: '토지' | '건물'
  readonly location: string
  /** `갑구 5번 서라온 지분`, printed after the location. */
  readonly share: string | null
  readonly office: string
  readonly rank: string
  readonly origin: readonly string[]
  readonly change: readonly string[]
}
export type CollateralList = {
  readonly number: string
  readonly rows: CollateralRow[]
}
