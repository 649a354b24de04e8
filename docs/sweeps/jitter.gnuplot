set terminal pngcairo noenhanced size 1548,1020 font "sans,11"
set output "jitter.png"
set multiplot
set grid ytics lt 1 lw 1 lc rgb "#dddddd"
set label 1001 at screen 0.00904,0.98039 left font "sans,15" "Sweep: jitter"
set label 1002 at screen 0.00904,0.95686 left tc rgb "#333333" "sarwar1, receive buffer 50 kB; exponential jitter, mean in per cent of each path's delay, order kept"
unset key
set datafile separator ","
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "the head of the queue, on some path"
set xlabel "mean jitter / delay (%)"
set ylabel "goodput / ceiling"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,5,10,20,30,50)
plot "jitter.csv" skip 1 every ::60::65 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "jitter.csv" skip 1 every ::66::71 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "jitter.csv" skip 1 every ::72::77 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::78::83 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "jitter.csv" skip 1 every ::84::89 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "jitter.csv" skip 1 every ::90::95 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "jitter.csv" skip 1 every ::96::101 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "jitter.csv" skip 1 every ::0::5 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::6::11 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "jitter.csv" skip 1 every ::12::17 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "jitter.csv" skip 1 every ::102::107 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
unset label 1001
unset label 1002
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.90784
set bmargin at screen 0.56667
set title "later data ahead on slow paths"
set xlabel "mean jitter / delay (%)"
set ylabel "goodput / ceiling"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,5,10,20,30,50)
plot "jitter.csv" skip 1 every ::18::23 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "jitter.csv" skip 1 every ::24::29 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "jitter.csv" skip 1 every ::30::35 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "jitter.csv" skip 1 every ::36::41 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "jitter.csv" skip 1 every ::42::47 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "jitter.csv" skip 1 every ::48::53 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "jitter.csv" skip 1 every ::54::59 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "jitter.csv" skip 1 every ::0::5 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::6::11 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "jitter.csv" skip 1 every ::12::17 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "jitter.csv" skip 1 every ::102::107 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "the head of the queue, on some path"
set xlabel "mean jitter / delay (%)"
set ylabel "mean receive-buffer occupancy (kB)"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,5,10,20,30,50)
plot "jitter.csv" skip 1 every ::168::173 using 3:4:5:6 with yerrorlines lc rgb "#117733" dt 1 lw 2 pt 2 ps 1, \
  "jitter.csv" skip 1 every ::174::179 using 3:4:5:6 with yerrorlines lc rgb "#aa4499" dt 1 lw 2 pt 3 ps 1, \
  "jitter.csv" skip 1 every ::180::185 using 3:4:5:6 with yerrorlines lc rgb "#ddcc77" dt 1 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::186::191 using 3:4:5:6 with yerrorlines lc rgb "#661100" dt 1 lw 2 pt 2 ps 1, \
  "jitter.csv" skip 1 every ::192::197 using 3:4:5:6 with yerrorlines lc rgb "#009e73" dt 1 lw 2 pt 10 ps 1, \
  "jitter.csv" skip 1 every ::198::203 using 3:4:5:6 with yerrorlines lc rgb "#e69f00" dt 1 lw 2 pt 8 ps 1, \
  "jitter.csv" skip 1 every ::204::209 using 3:4:5:6 with yerrorlines lc rgb "#888888" dt 1 lw 2 pt 4 ps 1, \
  "jitter.csv" skip 1 every ::108::113 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::114::119 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "jitter.csv" skip 1 every ::120::125 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "jitter.csv" skip 1 every ::210::215 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.47647
set bmargin at screen 0.13529
set title "later data ahead on slow paths"
set xlabel "mean jitter / delay (%)"
set ylabel "mean receive-buffer occupancy (kB)"
unset logscale
set yrange [0:*]
set offsets graph 0.03, graph 0.03, 0, 0
set xtics (0,5,10,20,30,50)
plot "jitter.csv" skip 1 every ::126::131 using 3:4:5:6 with yerrorlines lc rgb "#56b4e9" dt 1 lw 5 pt 6 ps 1, \
  "jitter.csv" skip 1 every ::132::137 using 3:4:5:6 with yerrorlines lc rgb "#0072b2" dt 1 lw 3 pt 12 ps 1, \
  "jitter.csv" skip 1 every ::138::143 using 3:4:5:6 with yerrorlines lc rgb "#882255" dt 1 lw 3 pt 14 ps 1, \
  "jitter.csv" skip 1 every ::144::149 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 2 lw 2 pt 4 ps 1, \
  "jitter.csv" skip 1 every ::150::155 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 2 lw 2 pt 8 ps 1, \
  "jitter.csv" skip 1 every ::156::161 using 3:4:5:6 with yerrorlines lc rgb "#44aa99" dt 1 lw 2 pt 5 ps 1, \
  "jitter.csv" skip 1 every ::162::167 using 3:4:5:6 with yerrorlines lc rgb "#332288" dt 1 lw 2 pt 9 ps 1, \
  "jitter.csv" skip 1 every ::108::113 using 3:4:5:6 with yerrorlines lc rgb "#000000" dt 2 lw 2 pt 1 ps 1, \
  "jitter.csv" skip 1 every ::114::119 using 3:4:5:6 with yerrorlines lc rgb "#d55e00" dt 1 lw 2.5 pt 7 ps 1, \
  "jitter.csv" skip 1 every ::120::125 using 3:4:5:6 with yerrorlines lc rgb "#cc79a7" dt 4 lw 2 pt 13 ps 1, \
  "jitter.csv" skip 1 every ::210::215 using 3:4:5:6 with yerrorlines lc rgb "#8c510a" dt 3 lw 2.5 pt 2 ps 1
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
