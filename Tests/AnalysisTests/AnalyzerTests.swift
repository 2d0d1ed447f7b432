// What the two analysers make of texts that people have tripped over.

import LimelightAnalysis
import Testing

@Suite struct AnalyzerTests {
  @Test func plainEnglish() {
    let text =
      "The quick (\"brown\") fox can't jump 32.3 feet, right? Snake_case x-ray e.g. 1,000;5"
    #expect(
      terms(.words, text) == [
        "the", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right", "snake_case",
        "x", "ray", "e.g", "1,000;5",
      ])
    #expect(
      terms(.runs, text) == [
        "the", "quick", "brown", "fox", "can", "t", "jump", "32", "3", "feet", "right", "snake",
        "case", "x", "ray", "e", "g", "1", "000", "5",
      ])
  }

  @Test func offsetsAndPositions() {
    let text = Array("a  Über—b".utf8)
    for kind in Analyzer.allCases {
      #expect(
        tokens(kind, text) == [
          Token(term: "a", position: 0, source: 0..<1),
          Token(term: "uber", position: 1, source: 3..<8),
          Token(term: "b", position: 2, source: 11..<12),
        ])
    }
  }

  @Test(arguments: Analyzer.allCases)
  func spellingsOfOneWordAreOneTerm(_ kind: Analyzer) {
    let groups: [[String]] = [
      ["İnşaat", "inşaat", "İNŞAAT", "i\u{307}nşaat", "insaat"], ["Işık", "ışık", "IŞIK", "isik"],
      ["Straße", "strasse", "STRASSE", "STRAẞE"],
      [
        "학점인정",
        "\u{1112}\u{1161}\u{11A8}\u{110C}\u{1165}\u{11B7}\u{110B}\u{1175}\u{11AB}"
          + "\u{110C}\u{1165}\u{11BC}",
      ],
      ["κόσμος", "κόσμος\u{301}", "ΚΌΣΜΟΣ", "κοσμοσ", "κόσμος\u{FE0F}", "κόσμος\u{200D}"],
      ["ܕܙܝ\u{308}ܬܐ", "ܕܙܝܬܐ"], ["شابوص", "شـابوص", "شـــابوص"], ["كِتاب", "كتاب"],
      ["ｶﾀｶﾅ", "カタカナ"], ["ｶﾞｲﾄﾞ", "ガイド", "カ\u{3099}イト\u{3099}"], ["ё", "е", "Ё"],
      ["Lo\u{AD}rem", "Lo\u{200C}rem", "Lo\u{200D}rem", "Lo\u{2060}rem", "\u{FEFF}Lorem", "ＬＯＲＥＭ"],
      ["ﬁlm", "film"], ["Łódź", "lodz"], ["Œuvre", "oeuvre"], ["смерть", "СМЕ\u{301}РТЬ"],
      ["שָׁלוֹם", "שלום"], ["ｆｕｌｌ１２", "full12"], ["𝐁𝐨𝐥𝐝", "bold"], ["Ⅷ", "viii"], ["ᾳ", "α"],
    ]
    for group in groups {
      let found = group.map { terms(kind, $0) }
      #expect(found.allSatisfy { $0 == found[0] && $0.count == 1 }, "\(group): \(found)")
    }
  }

  @Test func differentWordsStayApart() {
    for kind in Analyzer.allCases {
      #expect(terms(kind, "ข้าว") != terms(kind, "ข่าว"))
      #expect(terms(kind, "สวัสดี") != terms(kind, "สวัสด"))
      #expect(terms(kind, "か") != terms(kind, "が"))
      #expect(terms(kind, "कि") != terms(kind, "की"))
      #expect(terms(kind, "alpha\u{200B}beta") == ["alpha", "beta"])
    }
  }

  @Test func punctuationAndSymbols() {
    #expect(terms(.words, "K'Thriss k’thriss") == ["k'thriss", "k'thriss"])
    #expect(terms(.runs, "K'Thriss") == ["k", "thriss"])
    #expect(terms(.words, "¿Like? ¡Hola!") == ["like", "hola"])
    #expect(terms(.words, "launch 🚀 done 😀") == ["launch", "🚀", "done", "😀"])
    #expect(terms(.words, "👨‍👩‍👧 ❤️ © ™ → 🇩🇪🇫🇷") == ["👨👩👧", "❤", "🇩🇪", "🇫🇷"])
    #expect(terms(.runs, "launch 🚀 ½ m² №5") == ["launch", "½", "m2", "5"])
    #expect(terms(.words, "5㎏ ㈱ ⑴ 1️⃣") == ["5", "kg", "株", "1", "1"])
    #expect(terms(.words, "___ a_b __init__ é_ _é") == ["a_b", "__init__", "e_", "_e"])
    #expect(terms(.words, "uses sp_new1 table") == ["uses", "sp_new1", "table"])
    #expect(terms(.words, "תא שמע: ישראל צה\"ל") == ["תא", "שמע", "ישראל", "צה\"ל"])
  }

  @Test func scriptsWithoutSpaces() {
    #expect(
      terms(.words, "步2 重跑gen-itgc后50条") == ["步", "2", "重", "跑", "gen", "itgc", "后", "50", "条"])
    #expect(terms(.words, "東京タワーへ行く") == ["東", "京", "タワー", "へ", "行", "く"])
    #expect(terms(.runs, "東京タワーへ、行く") == ["東京タワーへ", "行く"])
    #expect(terms(.runs, "ฉันชอบ กินข้าว") == ["ฉันชอบ", "กินข้าว"])
  }

  @Test func nothingToFind() {
    for kind in Analyzer.allCases {
      for text in ["", " ", "...", "\u{301}", "ـ", "\u{AD}", "\u{200B}", "\u{37A}", "\u{0}\u{0}"] {
        #expect(terms(kind, text).isEmpty, "\(text.unicodeScalars.map(\.value))")
      }
      #expect(terms(kind, "ab\u{0}cd") == ["ab", "cd"])
    }
  }

  @Test func longTokensAreCutAtAScalar() {
    for kind in Analyzer.allCases {
      #expect(
        terms(kind, String(repeating: "a", count: 300)) == [String(repeating: "a", count: 255)])
      #expect(
        terms(kind, "a" + String(repeating: "д", count: 300))
          == ["a" + String(repeating: "д", count: 127)])
      #expect(
        terms(kind, String(repeating: "д", count: 300)) == [String(repeating: "д", count: 127)])
      // The voicing mark behind the last kana that fits still joins it.
      let prefix = String(repeating: "a", count: kind == .runs ? 252 : 0)
      let kana = String(repeating: "カ", count: kind == .runs ? 0 : 84)
      #expect(terms(kind, prefix + kana + "ガカ") == terms(kind, prefix + kana + "カ\u{3099}カ"))
      #expect(terms(kind, prefix + kana + "ガカ").first?.hasSuffix("ガ") == true)
    }
  }

  @Test func invalidBytesSeparateWords() {
    let buffer = TokenBuffer()
    for kind in Analyzer.allCases {
      #expect(tokens(kind, [0x61, 0xFF, 0x62], buffer).map(\.term) == ["a", "b"])
      #expect(buffer.invalidBytes == 1)
      #expect(
        tokens(kind, [0x61, 0xF0, 0x9F, 0x98, 0x62, 0xC3], buffer).map(\.term) == ["a", "b"])
      #expect(buffer.invalidBytes == 4)
      #expect(tokens(kind, Array("ab".utf8), buffer).count == 2 - 1)
      #expect(buffer.invalidBytes == 0)
    }
  }

  @Test func wordsCrossBlocks() {
    for lead in 0..<140 {
      for text in ["wörld", "can't", "a.b", "é.a", "1.5", "x’y", "_a", "a\u{301}b"] {
        for kind in Analyzer.allCases {
          let shifted = String(repeating: " ", count: lead) + text + " z"
          let found = tokens(kind, Array(shifted.utf8))
          let plain = tokens(kind, Array((text + " z").utf8))
          #expect(found.map(\.term) == plain.map(\.term))
          #expect(found.map(\.source.lowerBound) == plain.map { $0.source.lowerBound + lead })
        }
      }
    }
  }

  @Test func analyzersAreNamed() {
    #expect(Analyzer(rawValue: "words") == .words && Analyzer(rawValue: "runs") == .runs)
    #expect(Analyzer.allCases.map(\.version) == [1, 1])
  }
}
