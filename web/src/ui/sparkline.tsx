/** A small line of values over time. What it says stands beside it in words: it is hidden from screen readers. */
import styles from './sparkline.module.css'

const WIDTH = 100
const HEIGHT = 30

export const Sparkline = ({ values }: Readonly<{ values: readonly number[] }>) => {
  if (values.length < 2) return null
  const most = Math.max(...values, 1)
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    return `${x.toFixed(2)},${(HEIGHT - (value / most) * HEIGHT).toFixed(2)}`
  })
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon
        className={styles.area}
        points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`}
      />
      <polyline className={styles.line} points={points.join(' ')} />
    </svg>
  )
}
