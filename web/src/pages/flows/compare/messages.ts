import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Compare runs', ko: '실행 비교' },
  first: { en: 'First run', ko: '첫 번째 실행' },
  second: { en: 'Second run', ko: '두 번째 실행' },
  swap: { en: 'Swap', ko: '순서 바꾸기' },
  step: { en: 'Step', ko: '단계' },
  difference: { en: 'Difference', ko: '차이' },
  notThere: { en: 'not in this run', ko: '이 실행에 없음' },
  sameInput: { en: 'Both runs had the same input.', ko: '두 실행의 입력이 같습니다.' },
  results: { en: 'Results that differ', ko: '서로 다른 결과' },
  sameResults: {
    en: 'Each step gave the same result in both runs.',
    ko: '모든 단계의 결과가 같습니다.',
  },
  lines: {
    en: (what: string) => `Differences in ${what}`,
    ko: (what: string) => `${what} 차이`,
  },
  otherFlow: {
    en: 'These are runs of different flows; steps are matched by key.',
    ko: '서로 다른 플로우의 실행입니다. 단계는 키로 맞춥니다.',
  },
})
