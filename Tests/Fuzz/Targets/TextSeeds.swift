// Lines and typed texts to begin with, each behind the byte that chooses how it is read.

enum TextSeeds {
  static let lines = [
    #" {"id":"1","attributes":{"title":"Café 東京 naïve","pageCount":3.5e2,"allDay":true}}"#,
    """
     {"id":"r","domain":"mail.inbox","contentType":"public.text","expirationDate":4102444800.5,\
    "thumbnail":"AAECAwQ=","attributes":{"keywords":["a","b c"],"textContent":{"en":"The fox",\
    "de":"Der Fuchs"},"contentCreationDate":"2024-02-29T23:59:60.5+01:30","importantDates":\
    ["2020-01-01",-3.25],"contentURL":"file:///x","htmlContentData":\
    "PHA+bWFya2VkIDxiPnVwPC9iPiAmYW1wOyAmI3gyNjNhOzwvcD4=","authors":[{"displayName":"Ada",\
    "handles":["ada@x"]}],"emailHeaders":{"To":["a","b"],"X":[],"Y":"z"},"colour":"green",\
    "weight":-0.0,"done":false}}
    {"id":"r","attributes":{"title":["\\u00e9\\ud83d\\ude00","b"],"due":"2024-05-06"}}
    """,
    "!{\"n\":\"9\",\"body\":\"text\",\"date\":\"20240101T000000Z\",\"skip\":[{}],\"title\":null}",
    "#{\"id\":\"x\",\"attributes\":{\"when\":12,\"due\":\"2024-01-01T00:00:00Z\"}}\n\n{}\n[1]",
    "$ {\"attributes\":{\"kMDItemTitle\":\"t\",\"rating\":1e308,\"fileSize\":123456789012345}}\r",
    "(<p>Caf&#xe9; &amp;amp; &#9786;<br/>a&nbsp;b<script>x<y</script><!-- c -->&#x110000;</STYLE>",
  ]

  static let typed = [
    "&coffee grinder", "'\"french press\" -decaf OR tea", "%wi-fi iPhone15 C++ e.g. it's",
    "&東京タワー ราคาถูก", "'ﬁnd ﬀ Ⅷ ½ e\u{301} \u{1F468}\u{200D}\u{1F469}", "%-\"a b\" \"c",
    "'common w1 w2", "%mail.inbox", "&quick brwn", "'ὀδυσσεύς ΣΊΣΥΦΟΣ İstanbul straße",
    "%\u{FEFF}\u{200B}a\u{AD}b \u{2028}ﷺ 각",
  ]
}
