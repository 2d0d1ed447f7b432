// The proleptic Gregorian calendar: days since 1970 and back.

/// A day of the proleptic Gregorian calendar.
///
/// Years are counted from 1 March, so that the leap day is the last one and the lengths of the
/// months follow a straight line; 400 years, always 146,097 days, make an era.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  /// The day so many days after 1 January 1970; any count within Int64's eighth is fine.
  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468  // 1 March of the year 0
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// A day by its numbers, or nil when the calendar has no such day.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, abs(year) <= 1_000_000 else { return nil }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length: Int64 = month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard day <= length else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1 January 1970.
  var daysSince1970: Int64 {
    let fromMarch = month <= 2 ? year - 1 : year
    let era = (fromMarch >= 0 ? fromMarch : fromMarch - 399) / 400
    let yearOfEra = fromMarch - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
