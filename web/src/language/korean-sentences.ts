import { KOREAN_FAILURE_SENTENCES } from './korean-failures.ts'
import { KOREAN_GIT } from './korean-git.ts'
import { KOREAN_MANIFEST } from './korean-manifest.ts'

/**
 * Sentences of the server that have no code, in Korean: why a value of a form is refused, and why a schedule did not fire. A
 * group of the pattern stays as it is. Other sentences are shown as the server wrote them.
 */
export const KOREAN_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^is missing$|^must be filled in$/, '필수 값입니다'],
  [/^must not be empty$/, '비워 둘 수 없습니다'],
  [/^is not valid$/, '올바르지 않습니다'],
  [/^is not allowed$/, '허용되지 않습니다'],
  [/^is not a field of this (?:request|input|form)$/, '없는 필드입니다'],
  [/^must be (?:a string|text)$/, '문자열이어야 합니다'],
  [/^must be a number$/, '숫자여야 합니다'],
  [/^must be a whole number$/, '정수여야 합니다'],
  [/^must be true or false$/, 'true 또는 false여야 합니다'],
  [/^must be a list$|^must be an array$/, '목록이어야 합니다'],
  [/^must be an object$/, '객체여야 합니다'],
  [/^must be an e-mail address$/, '이메일 주소여야 합니다'],
  [/^must be a URL$/, 'URL이어야 합니다'],
  [/^must be a date(?: such as|,) (.+)$/, '$1 같은 날짜여야 합니다'],
  [/^must be a time as in RFC 3339, (.+)$/, '$1 같은 시각이어야 합니다'],
  [/^must be one of (.+)$/, '다음 중 하나여야 합니다: $1'],
  [/^must be at least (-?[\d.]+)$/, '$1 이상이어야 합니다'],
  [/^must be at most (-?[\d.]+)$/, '$1 이하여야 합니다'],
  [/^must be (?:greater|more) than (-?[\d.]+)$/, '$1보다 커야 합니다'],
  [/^must be less than (-?[\d.]+)$/, '$1보다 작아야 합니다'],
  [/^must be a multiple of (.+)$/, '$1의 배수여야 합니다'],
  [/^must have at least (\d+) characters?$/, '$1자 이상이어야 합니다'],
  [/^must have at most (\d+) characters?$/, '$1자 이하여야 합니다'],
  [/^must have at least (\d+) items?$/, '항목이 $1개 이상이어야 합니다'],
  [/^must have at most (\d+) items?$/, '항목이 $1개 이하여야 합니다'],
  [/^must have at least (\d+) fields?$/, '필드가 $1개 이상이어야 합니다'],
  [/^must have at most (\d+) fields?$/, '필드가 $1개 이하여야 합니다'],
  [/^must have the field "(.+)"$/, '필드 "$1"이(가) 필요합니다'],
  [/^must not contain duplicate items$/, '같은 항목이 두 번 있을 수 없습니다'],
  [/^must be a valid (.+)$/, '올바른 $1 형식이어야 합니다'],
  [/^must be (["[{\d-].*|null|true|false)$/, '다음 값이어야 합니다: $1'],
  [/^must match at least one schema in "anyOf"$/, '"anyOf"의 스키마 중 하나 이상에 맞아야 합니다'],
  [
    /^must match exactly one schema in "oneOf", but matches none$/,
    '"oneOf"의 스키마 중 하나에 맞아야 하는데 맞는 것이 없습니다',
  ],
  [
    /^must match exactly one schema in "oneOf", but matches (\d+)$/,
    '"oneOf"의 스키마 중 하나에만 맞아야 하는데 $1개에 맞습니다',
  ],
  [/^must not match the schema in "not"$/, '"not"의 스키마에 맞지 않아야 합니다'],
  [
    /^must have at least (\d+) items? matching the schema in "contains"$/,
    '"contains"의 스키마에 맞는 항목이 $1개 이상이어야 합니다',
  ],
  [
    /^must have at most (\d+) items? matching the schema in "contains"$/,
    '"contains"의 스키마에 맞는 항목이 $1개 이하여야 합니다',
  ],
  [/^must match (?:the pattern )?(.+)$/, '다음 형식이어야 합니다: $1'],

  [/^"(.*)" is not a known time zone\. Use .*$/, '"$1" 시간대를 알 수 없습니다(예: Asia/Seoul)'],
  [/^is not understood \(a minute is 0 to 59\).*$/, '분은 0부터 59까지입니다'],
  [/^is not understood \(an hour is 0 to 23\).*$/, '시는 0부터 23까지입니다'],
  [/^is not understood \(a day of month is 1 to 31\).*$/, '일은 1부터 31까지입니다'],
  [/^is not understood \(a month is 1 to 12\).*$/, '월은 1부터 12까지입니다'],
  [/^is not understood \(a day of week is 0 to 7\).*$/, '요일은 0부터 7까지입니다'],
  [/^is not understood \((.*)\)\. Fields: .*$/, '이해할 수 없는 표현식입니다: $1'],
  [
    /^has five fields: .*; seconds are not supported$/,
    '초는 쓸 수 없고, 분, 시, 일, 월, 요일 다섯 필드만 씁니다',
  ],
  [/^has five fields: .*$/, '분, 시, 일, 월, 요일 다섯 필드가 필요합니다(예: 30 9 * * 1-5)'],
  [/^knows (.+) and @every <duration>$/, '사용할 수 있는 이름: $1, @every <기간>'],
  [/^wants a duration after @every: (.+)$/, '@every 뒤에 기간이 필요합니다: $1'],
  [/^fires every second at most: @every 1s$/, '가장 짧은 주기는 1초입니다: @every 1s'],
  [/^fires every hundred years at least$/, '가장 긴 주기는 100년입니다'],
  [
    /^names a day that no year has, so it would never fire$/,
    '어느 해에도 없는 날짜라 실행되지 않습니다',
  ],

  [/^No scheduler could fire it in time\.$/, '제때 실행할 스케줄러가 없었습니다.'],
  [/^An earlier fire time was waiting\.$/, '앞선 실행 시각이 기다리고 있었습니다.'],
  [/^The former run has not ended\.$/, '이전 실행이 끝나지 않았습니다.'],
  [
    /^The schedule was disabled or changed before it could fire\.$/,
    '실행되기 전에 일정이 꺼지거나 바뀌었습니다.',
  ],
  [/^It never fires again\.$/, '더 이상 실행될 시각이 없습니다.'],
  [/^It waited (\d+) s for room in the queue\.$/, '대기열에 자리가 나기를 $1초 기다렸습니다.'],
  [
    /^It waited (\d+) s for the former run, or room in the queue\.$/,
    '이전 실행이 끝나거나 대기열에 자리가 나기를 $1초 기다렸습니다.',
  ],
  [/^The (?:action|flow) (\S+) no longer exists\.$/, '실행할 대상이 더 이상 없습니다: $1'],
  [
    /^(\d+) jobs of this workspace are already queued\..*$/,
    '워크스페이스의 대기열이 가득 찼습니다(작업 $1개).',
  ],
  [/^The input does not fit the schema of (\S+)\.(.*)$/, '입력이 $1의 스키마에 맞지 않습니다.$2'],
  [/^The app has no action "(.+)"\.$/, '앱에 없는 액션입니다: $1'],
  [
    /^The (?:action|flow) .+ by (\$\{.+\}): the input must hold a text, number or boolean there\.$/,
    '입력의 $1 값은 문자열, 숫자, 불리언 중 하나여야 합니다.',
  ],
  [
    /^The (?:concurrency|rate|debounce|fair) key is longer than (\d+) characters\. .*$/,
    '입력으로 만든 키가 $1자를 넘습니다. 더 짧은 값을 사용하세요.',
  ],
  [/^The (?:cron|timezone) .+$/, '일정의 설정이 올바르지 않습니다: $&'],

  [/^It answered (\d+)\.$/, '받는 쪽이 HTTP $1(으)로 응답했습니다.'],
  [
    /^The workspace has sent (\d+) e-mails within a day\.$/,
    '워크스페이스가 하루에 보낼 수 있는 이메일 $1통을 모두 보냈습니다.',
  ],

  [
    /^Other users keep changing the (?:schedule|git source)\. Try again\.$/,
    '다른 사용자가 동시에 변경하고 있습니다. 다시 시도하세요.',
  ],

  // what was not found, or exists already, after the sentence of `KOREAN_ERRORS`
  [/^App "(.+)" not found\.$|^Action "([^"]+)" not found\.$/, '$1$2'],
  [/^(?:Action|Flow) "(.+)" of app "(.+)" not found\.$/, '$2/$1'],
  [/^The app "(.+)" already exists\.$/, '$1'],
  [
    /^"(.+)" is already a member, but disabled\..*$/,
    '비활성화된 멤버($1)입니다. 초대하지 말고 멤버 화면에서 다시 활성화하세요.',
  ],

  ...KOREAN_FAILURE_SENTENCES,
  ...KOREAN_GIT,
  ...KOREAN_MANIFEST,
]
