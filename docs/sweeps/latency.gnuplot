set terminal pngcairo noenhanced size 1548,1020 font "sans,11"
set output "latency.png"
set multiplot
set grid ytics lt 1 lw 1 lc rgb "#dddddd"
set label 1001 at screen 0.00904,0.98039 left font "sans,15" "Sweep: latency of a constant-rate source"
set label 1002 at screen 0.00904,0.95686 left tc rgb "#333333" "sarwar1, receive buffer 50 kB; from due time to delivery in order. A single path cannot carry more than 80 %"
unset key
set datafile separator ","
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "the head of the queue, on some path"
set xlabel "rate of the source / ceiling (%)"
set ylabel "latency, median (ms)"
set logscale y
set format y "%.0s%c"
set yrange [*:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (25,50,75,90)
plot "latency.csv" skip 1 every ::40::43 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "latency.csv" skip 1 every ::44::47 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "latency.csv" skip 1 every ::48::51 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::52::55 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "latency.csv" skip 1 every ::56::59 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "latency.csv" skip 1 every ::60::63 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "latency.csv" skip 1 every ::64::67 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "latency.csv" skip 1 every ::0::3 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::4::7 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "latency.csv" skip 1 every ::8::11 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "latency.csv" skip 1 every ::68::71 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
unset label 1001
unset label 1002
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "later data ahead on slow paths"
set xlabel "rate of the source / ceiling (%)"
set ylabel "latency, median (ms)"
set logscale y
set format y "%.0s%c"
set yrange [*:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (25,50,75,90)
plot "latency.csv" skip 1 every ::12::15 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "latency.csv" skip 1 every ::16::19 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "latency.csv" skip 1 every ::20::23 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "latency.csv" skip 1 every ::24::27 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "latency.csv" skip 1 every ::28::31 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "latency.csv" skip 1 every ::32::35 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "latency.csv" skip 1 every ::36::39 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "latency.csv" skip 1 every ::0::3 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::4::7 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "latency.csv" skip 1 every ::8::11 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "latency.csv" skip 1 every ::68::71 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "the head of the queue, on some path"
set xlabel "rate of the source / ceiling (%)"
set ylabel "latency, 99th percentile (ms)"
set logscale y
set format y "%.0s%c"
set yrange [*:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (25,50,75,90)
plot "latency.csv" skip 1 every ::112::115 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "latency.csv" skip 1 every ::116::119 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "latency.csv" skip 1 every ::120::123 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::124::127 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "latency.csv" skip 1 every ::128::131 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "latency.csv" skip 1 every ::132::135 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "latency.csv" skip 1 every ::136::139 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "latency.csv" skip 1 every ::72::75 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::76::79 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "latency.csv" skip 1 every ::80::83 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "latency.csv" skip 1 every ::140::143 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "later data ahead on slow paths"
set xlabel "rate of the source / ceiling (%)"
set ylabel "latency, 99th percentile (ms)"
set logscale y
set format y "%.0s%c"
set yrange [*:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (25,50,75,90)
plot "latency.csv" skip 1 every ::84::87 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "latency.csv" skip 1 every ::88::91 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "latency.csv" skip 1 every ::92::95 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "latency.csv" skip 1 every ::96::99 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "latency.csv" skip 1 every ::100::103 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "latency.csv" skip 1 every ::104::107 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "latency.csv" skip 1 every ::108::111 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "latency.csv" skip 1 every ::72::75 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "latency.csv" skip 1 every ::76::79 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "latency.csv" skip 1 every ::80::83 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "latency.csv" skip 1 every ::140::143 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
unset logscale
unset offsets
unset label 1001
unset label 1002
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
unset logscale
set lmargin at screen 0.00904
set rmargin at screen 0.99096
set tmargin at screen 0.07843
set bmargin at screen 0.001
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5,0.03922 center center horizontal Left reverse samplen 3 width 2
plot '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1 title "stock", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1 title "arrival", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1 title "auto", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1 title "lcm", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1 title "osia", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1 title "bulk", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1 title "fps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1 title "f2p", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1 title "fps+ocps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1 title "f2p+ocps", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1 title "minrtt", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1 title "blest", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1 title "ecf", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1 title "redundant", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1 title "flow", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1 title "cwnd", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1 title "rr", \
  '+' using 1:(2):(2):(2) with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1 title "best path"
unset multiplot
