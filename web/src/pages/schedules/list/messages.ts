import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  stateOn: { en: 'On', ko: '켜짐' },
  stateOff: { en: 'Off', ko: '꺼짐' },
  switchedOff: { en: 'turned off', ko: '자동으로 꺼짐' },
  none: { en: 'No schedules yet', ko: '아직 일정이 없습니다' },
  noneText: {
    en: 'A schedule runs an action or a flow at set times in a time zone that you choose. Create one here or in a terminal:',
    ko: '일정은 선택한 시간대의 정해진 시각에 액션이나 플로우를 실행합니다. 여기서 만들거나 터미널에서 만드세요.',
  },
  noMatch: { en: 'No matching schedules', ko: '필터에 맞는 일정이 없습니다' },
  noMatchText: { en: 'Clear the filters to see all.', ko: '필터를 지우면 모두 표시됩니다.' },
})
