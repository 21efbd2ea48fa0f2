/** Counts over time as small bars in a line of text. The label contains their sum. */
import styles from './sparkline.module.css'

const HEIGHT = 20
/** Makes one job among thousands visible. */
const LEAST = 2

export type SparklineProps = Readonly<{ label: string; values: readonly number[] }>

export const Sparkline = ({ label, values }: SparklineProps) => {
  const most = Math.max(1, ...values)
  const bars = values.flatMap((value, at) =>
    value === 0 ? [] : [{ at, height: Math.max((value / most) * HEIGHT, LEAST) }],
  )
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${values.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ at, height }) => (
        <rect key={at} x={at} y={HEIGHT - height} width={0.9} height={height} />
      ))}
    </svg>
  )
}
